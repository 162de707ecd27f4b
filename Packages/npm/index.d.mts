export * from "./understudy.mjs";
