/**
 * Imported first of all: ends the process with one line on a Node that is too old, before anything native loads.
 * (better-sqlite3 does not fail there, it crashes.)
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Embed Gateway needs Node 22.18 or newer; this is ${process.version}. "npm start" brings its own.`);
  process.exit(1);
}
