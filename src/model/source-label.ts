/** On every generated entry; says which object it was made for. */
export const SOURCE_LABEL = "zonekeeper.dev/source";
