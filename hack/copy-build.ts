// copy-build.js FOLDER: copies what the compiler keeps between builds to a new folder, without the output of sources that are
// gone (`make build`).
import { constants, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const kept = fileURLToPath(new URL('..', import.meta.url));
const [, , build = '.build'] = process.argv;
const outputs = ['.js', '.js.map', '.d.ts'];

for (const folder of ['src', 'test', 'hack']) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && /(?<!\.d)\.ts$/.test(file) && isCompiled(file)) copyOutputs(file.slice(0, -'.ts'.length));
  }
}

/** Browsers run the dashboard as a bundle; what tests of it import is compiled, too. */
function isCompiled(file: string): boolean {
  return !file.startsWith('src/dashboard') || existsSync(path.join(kept, file.replace(/\.ts$/, '.js')));
}

function copyOutputs(name: string): void {
  for (const output of outputs) {
    const to = path.join(build, name + output);
    mkdirSync(path.dirname(to), { recursive: true });
    copyFileSync(path.join(kept, name + output), to, constants.COPYFILE_FICLONE);
  }
}
