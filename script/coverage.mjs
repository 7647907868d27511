// Vitest's own count of branches (coverage.customProviderModule of vitest.config.ts), which puts
// the reports of many test files together at once: one by one, all that was counted before is gone
// through for each of them.
import v8 from "@vitest/coverage-v8";

/** Reports that are put together at once; those of all test files would not fit into memory. */
const TOGETHER = 40;

async function getProvider() {
  const provider = await v8.getProvider();
  const readEach = provider.readCoverageFiles.bind(provider);
  provider.readCoverageFiles = ({ onFileRead, onFinished, onDebug }) => {
    let batch = [];
    const put = () => {
      onFileRead({ result: batch.flatMap(({ result }) => result) });
      batch = [];
    };
    return readEach({
      onFileRead: (report) => {
        batch.push(report);
        if (batch.length === TOGETHER) put();
      },
      onFinished: (...of) => {
        put();
        return onFinished(...of);
      },
      onDebug,
    });
  };
  return provider;
}

export default { ...v8, getProvider };
