import { test } from "vitest";
import { proveImports } from "../../../test/simulation/proofs/imports.ts";

test("hosts of a zone come in once, go late, and never in a circle (ADR 0125)", () =>
  proveImports());
