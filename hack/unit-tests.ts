/**
 * Prints the unit tests of the files that have changes since the last commit (`make unit`): all tests without a change, and
 * nothing for changes that no test reaches. The tests must be compiled. Paths as arguments are taken for the changed files.
 */
import { changedFiles, chooseUnitTests } from './choose-unit-tests.ts';

const given = process.argv.slice(2);
const changed = given.length > 0 ? given : changedFiles('.');
console.log(changed.length > 0 ? chooseUnitTests('.', changed).join(' ') : 'dist/test/unit/**/*.test.js');
