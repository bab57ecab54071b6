// copy-build.js FOLDER: copies what the compiler keeps between builds to a new folder, without the output of sources that are
// gone (`make build`).
import { constants, copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const kept = fileURLToPath(new URL('..', import.meta.url));
const [, , build = '.build'] = process.argv;
const outputs = ['.js', '.js.map', '.d.ts'];

for (const folder of ['src', 'test', 'hack']) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    // Browsers run it as a bundle.
    if (file.startsWith('src/dashboard')) continue;
    if (entry.isDirectory()) mkdirSync(path.join(build, file), { recursive: true });
    if (entry.isFile() && /(?<!\.d)\.ts$/.test(file)) copyOutputs(file.slice(0, -'.ts'.length));
  }
}

function copyOutputs(name: string): void {
  for (const output of outputs) {
    const to = path.join(build, name + output);
    mkdirSync(path.dirname(to), { recursive: true });
    copyFileSync(path.join(kept, name + output), to, constants.COPYFILE_FICLONE);
  }
}
