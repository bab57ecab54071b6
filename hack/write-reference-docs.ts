// Writes docs/reference/: flags, metrics, feature gates and admission plugins, each from the table that the programs themselves
// use. With --check it writes nothing, and fails if a page is not what it would write.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { admissionPluginsPage } from './reference/admission-plugins-page.ts';
import { everyFlagPage } from './reference/every-flag-page.ts';
import { featureGatesPage } from './reference/feature-gates-page.ts';
import { flagsPage } from './reference/flags-page.ts';
import { kubeApiServerFlags } from './reference/kube-apiserver-flags.ts';
import { metricsPage, unknownFamilies } from './reference/metrics-page.ts';
import { registeredMetrics } from './reference/registered-metrics.ts';
import { report } from './source-files.ts';

const metrics = await registeredMetrics();
const pages = {
  'docs/reference/flags.md': flagsPage(),
  'docs/flags.md': everyFlagPage(),
  'docs/reference/metrics.md': metricsPage(metrics),
  'docs/reference/feature-gates.md': featureGatesPage(),
  'docs/reference/admission-plugins.md': admissionPluginsPage(),
  'docs/from-kube-apiserver.md': withPart(textOf('docs/from-kube-apiserver.md'), kubeApiServerFlags()),
};

if (process.argv.includes('--check')) {
  const stale = Object.entries(pages).filter(([page, text]) => textOf(page) !== text);
  report('reference', [
    ...stale.map(([page]) => `${page} is not up to date: run node dist/hack/write-reference-docs.js`),
    ...unknownFamilies('docs/metrics.md', textOf('docs/metrics.md'), metrics),
    ...metrics.findings,
  ]);
} else {
  mkdirSync('docs/reference', { recursive: true });
  for (const [page, text] of Object.entries(pages)) writeFileSync(page, text);
}

/** The page with its written part between two comments replaced. */
function withPart(page: string, part: string): string {
  return page.replace(
    /(<!-- The flags below [^>]*-->\n)[^]*(\n<!-- The end of)/,
    (_, begin: string, end: string) => `${begin}\n${part}\n${end}`,
  );
}

function textOf(page: string): string {
  try {
    return readFileSync(page, 'utf8');
  } catch {
    return '';
  }
}
