/**
 * Ends the process with one line on a Node that is too old. Plain JavaScript, and imported first: such a Node cannot read
 * TypeScript, and better-sqlite3 crashes there.
 */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  const found = `Node ${process.versions.node} (${process.execPath})`;
  const help = 'Install a newer one. In a clone of the repository, "npm ci" brings one for the npm scripts.';
  console.error(`Embed Gateway needs Node 22.18 or newer, and this is ${found}. ${help}`);
  process.exit(1);
}
