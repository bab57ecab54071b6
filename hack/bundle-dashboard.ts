import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build } from 'esbuild';

const source = 'src/dashboard';

/**
 * Bundles the dashboard into a folder: the page, its script and its style, each also compressed.
 * Throws if the script would import something that browsers do not have.
 */
export async function bundleDashboard(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { outputFiles, metafile } = await build({
    entryPoints: [
      { in: `${source}/app.tsx`, out: 'dashboard' },
      { in: `${source}/dashboard.css`, out: 'dashboard' },
    ],
    outdir: folder,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    minify: true,
    legalComments: 'inline',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    inject: [`${source}/server/text-buffer.ts`],
    // Files that are shared with `cl` import them for functions that the page does not use.
    external: ['node:*'],
    logLevel: 'error',
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  if (imported.length > 0) throw new Error(`the dashboard imports ${[...new Set(imported)].join(', ')}`);
  const files = [
    ...outputFiles.map(({ path, contents }) => [path, contents] as const),
    ...(await Promise.all(
      ['index.html', 'icon.svg'].map(
        async (name) => [join(folder, name), await readFile(`${source}/${name}`)] as const,
      ),
    )),
  ];
  for (const [path, contents] of files) {
    await writeFile(path, contents);
    await writeFile(`${path}.br`, await promisify(brotliCompress)(contents));
    await writeFile(`${path}.gz`, await promisify(gzip)(contents, { level: 9 }));
  }
}
