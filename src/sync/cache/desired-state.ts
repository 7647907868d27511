/**
 * The desired state of one zone, from the first contribution on, whether or not the zone is open:
 * opening it then costs nothing. While the zone is open, its current state shares the texts.
 */
import { ZoneTexts } from "./columns/zone-texts.ts";
import { DesiredIndex } from "./desired-index.ts";

/** What objects want in one zone, with its texts. */
export class DesiredState {
  readonly texts = new ZoneTexts();
  readonly index = new DesiredIndex(this.texts);
}
