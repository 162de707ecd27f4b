// The helper for tests, with the program of this package in the place of the one on the PATH.
import { createRequire } from "node:module";

const { binary } = createRequire(import.meta.url)("./binary.cjs");
if (binary) process.env.UNDERSTUDY_BINARY ??= binary;

export * from "./understudy.mjs";
