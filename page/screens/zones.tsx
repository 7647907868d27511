/** All zones: whether they are read, who writes them, and what waits in them. */
import { useAnswer } from "../api.ts";
import type { ZoneRow, ZonesDocument } from "../contract.ts";
import { useTold } from "../live.ts";
import { Age, Answered, Scrollable, State } from "../parts/basics.tsx";
import { addressOf } from "../router.ts";

export function Zones() {
  const answer = useAnswer<ZonesDocument>("zones");
  useTold(answer.again);
  return (
    <Answered answer={answer}>
      {({ zones }) =>
        zones.length === 0 ? (
          <p class="nothing">No zone is open: no DNSProvider is ready.</p>
        ) : (
          <Scrollable label="Zones">
            <table>
              <thead>
                <tr>
                  <th scope="col">Zone</th>
                  <th scope="col">State</th>
                  <th scope="col">Serial</th>
                  <th scope="col">Last read</th>
                  <th scope="col">Writer</th>
                  <th scope="col" class="number">
                    Managed
                  </th>
                  <th scope="col" class="number">
                    Foreign
                  </th>
                  <th scope="col">Held</th>
                </tr>
              </thead>
              <tbody>
                {zones.map((zone) => (
                  <Row key={zone.key.account + zone.key.zone} row={zone} />
                ))}
              </tbody>
            </table>
          </Scrollable>
        )
      }
    </Answered>
  );
}

function Row({ row }: { row: ZoneRow }) {
  const { zone, serial, readAt, ownedNames, foreignNames, holds, heldSets, providers } = row;
  return (
    <tr>
      <th scope="row">
        <a class="data" href={addressOf("names", null, { zone: zone.name })}>
          {zone.name}
        </a>
        <div class="faint small">
          {zone.providerType} at {zone.endpoint}
          {providers.length === 0 ? null : (
            <>
              <br />
              through {providers.join(", ")}
            </>
          )}
        </div>
      </th>
      <td class="broad">
        <ZoneState row={row} />
      </td>
      <td>
        {serial === null ? <span class="faint">none</span> : <span class="mono">{serial}</span>}
      </td>
      <td>{readAt === null ? <span class="faint">not yet</span> : <Age at={readAt} />}</td>
      <td class="broad">{writerText(row)}</td>
      <td class="number">{ownedNames.toLocaleString("en")}</td>
      <td class="number">{foreignNames.toLocaleString("en")}</td>
      <td class="broad">
        {holds.length === 0 && heldSets.length === 0 ? (
          <span class="faint">nothing</span>
        ) : (
          <a href={addressOf("holds", null, { zone: zone.name })}>
            {holds.map(({ code, count }) => `${count} ${code}`).join(", ")}
            {heldSets.length === 0 ? "" : `; ${heldSets.length} to approve`}
          </a>
        )}
      </td>
    </tr>
  );
}

function ZoneState({ row }: { row: ZoneRow }) {
  const { state, message, paused, trouble, failingNames, pendingChanges, holds } = row;
  const why = message ?? trouble ?? paused;
  const note = why === null ? null : <div class="faint">{why}</div>;
  if (state === "failed")
    return (
      <>
        <State tone="bad">cannot be read</State>
        {note}
      </>
    );
  if (state === "loading")
    return (
      <>
        <State tone="wait">being read</State>
        {note}
      </>
    );
  if (trouble !== null)
    return (
      <>
        <State tone="bad">not written</State>
        {note}
      </>
    );
  if (paused !== null)
    return (
      <>
        <State tone="wait">paused</State>
        {note}
      </>
    );
  if (failingNames > 0) return <State tone="bad">{failingNames} fail</State>;
  if (holds.length > 0) return <State tone="wait">some held</State>;
  if (pendingChanges > 0) return <State tone="wait">{pendingChanges} to write</State>;
  return <State tone="good">in sync</State>;
}

/** Who may write the zone, as its fence says. */
function writerText({ fence }: ZoneRow): string {
  switch (fence?.mode) {
    case undefined:
      return "this instance";
    case "unused":
      return "this instance, nothing written yet";
    case "record":
      return `this instance, epoch ${fence.epoch}`;
    case "lease":
      return "this instance, by its Lease";
    case "stopped":
      return `nobody: ${fence.message}`;
  }
}
