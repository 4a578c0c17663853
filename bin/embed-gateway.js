#!/usr/bin/env node
/** Starts the service (`serve`, or no command), or runs a command of `src/cli` with the arguments that follow its name. */
import './check-node.js';

const COMMANDS = ['backup', 'copy', 'embeds', 'restore', 'tokens'];

const [command = 'serve'] = process.argv.slice(2);
if (command === 'serve') {
  await import('../src/main.ts');
} else if (COMMANDS.includes(command)) {
  // a command reads its arguments as if its own file had been started
  process.argv.splice(2, 1);
  await import(`../src/cli/${command}.ts`);
} else {
  console.error(`There is no command "${command}". The commands are ${['serve', ...COMMANDS].join(', ')}.`);
  process.exitCode = 2;
}
