"use strict";

// The program for this system, which npm installed as an optional dependency.
const name = `understudy-server-${process.platform}-${process.arch}`;

let binary;
try {
    binary = require.resolve(`${name}/bin/understudy`);
} catch {
    binary = undefined;
}

module.exports = { binary, name };
