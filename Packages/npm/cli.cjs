#!/usr/bin/env node
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { binary, name } = require("./binary.cjs");

if (!binary) {
    console.error(`understudy: no program for this system: the package ${name} is not there. On a Mac, build it from the sources.`);
    process.exit(1);
}
const child = spawn(binary, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.once("error", error => {
    console.error(`understudy: ${error.message}`);
    process.exit(1);
});
child.once("exit", (status, signal) => process.exit(status ?? 128 + constants.signals[signal]));
