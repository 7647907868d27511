// elf.mjs FILE…: cuts off what no loader reads, symbols and the table of sections, in place: 18 MB of
// Node. For 64-bit little-endian files of any machine (System V ABI, gabi 4 "Object Files").
import { readFileSync, writeFileSync } from "node:fs";

const IDENT = "7f454c460201";
const HEADER = { programs: 32, sections: 40, programSize: 54, sectionCount: 60 };
const PROGRAM = { offset: 8, fileSize: 32 };

for (const path of process.argv.slice(2)) writeFileSync(path, loaded(readFileSync(path), path));

function loaded(elf, path) {
  if (elf.subarray(0, 6).toString("hex") !== IDENT)
    throw new Error(`${path} is no 64-bit little-endian ELF file`);
  const long = (at) => Number(elf.readBigUInt64LE(at));
  const size = elf.readUInt16LE(HEADER.programSize);
  const count = elf.readUInt16LE(HEADER.programSize + 2);
  const first = long(HEADER.programs);
  let end = first + size * count;
  for (let at = first; at < first + size * count; at += size)
    end = Math.max(end, long(at + PROGRAM.offset) + long(at + PROGRAM.fileSize));
  elf.fill(0, HEADER.sections, HEADER.sections + 8);
  // Their number, and the index of that which names them.
  elf.fill(0, HEADER.sectionCount, HEADER.sectionCount + 4);
  return elf.subarray(0, end);
}
