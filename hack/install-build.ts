/** Puts the build that has this program in the place of dist/, at once (`make build`). */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const build = fileURLToPath(new URL('..', import.meta.url));
const replaced = '.cache/replaced-build';

rmSync(replaced, { recursive: true, force: true });
mkdirSync('.cache', { recursive: true });
// A folder cannot be renamed to one that has files. Nothing else happens between the two renames.
if (existsSync('dist')) renameSync('dist', replaced);
renameSync(build, 'dist');
rmSync(replaced, { recursive: true, force: true });
