/**
 * What objects want in one zone, from the first word on, whether or not the zone is open: opening
 * it then costs nothing. The texts are shared with what is known of the zone while it is open.
 */
import { ZoneTexts } from "./columns/zone-texts.ts";
import { DesiredIndex } from "./desired-index.ts";

/** The wishes for one zone. */
export class DesiredState {
  readonly texts = new ZoneTexts();
  readonly index = new DesiredIndex(this.texts);
}
