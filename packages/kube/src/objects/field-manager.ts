/** Our name in `metadata.managedFields`. */
export const FIELD_MANAGER = "zonekeeper";
