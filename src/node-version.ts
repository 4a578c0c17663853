/** Imported first of all, for a process that does not start with `bin/embed-gateway.js`. */
import '../bin/check-node.js';
