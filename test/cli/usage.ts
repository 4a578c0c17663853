/** The end of the help of each command. */
export const EXIT_CODES = / -h, --help +show this help\n[\s\S]*\nExit codes:\n {2}0 {2}done\n {2}1 {2}.*\n {2}2 {2}/;
/** The error of each command for an unknown option. */
export const WRONG_OPTION = /^error: .*\n\(add --help for the options\)\n$/;
