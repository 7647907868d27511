/** What a name server answers from records of a type, as a back end says of its own types. */

/**
 * What a name server answers from a record. `addresses`: itself, an address. `cname`: itself, and
 * it stands alone. `alias`: addresses or whatever it likes, in the place of other records. `other`:
 * itself, no address.
 */
export type TypeAnswer = "addresses" | "cname" | "alias" | "other";

/** What the types of a back end's own answer, and those that it answers in its own way. */
export type TypeAnswers = Readonly<Record<string, TypeAnswer>>;
