import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { sourceFiles } from '../source-files.ts';

interface Component {
  readonly name: string;
  readonly version: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
  readonly 'bom-ref': string;
}

/** The parts of a bill in CycloneDX that matter here. */
export interface BillOfMaterials {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/**
 * The bill of materials of the package as npm makes it of the lock file (CycloneDX), with the
 * libraries that an installation has and those of development whose code the bundle contains.
 */
export function makeSbom(): BillOfMaterials {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const text = execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const bill = JSON.parse(text) as BillOfMaterials;
  const contained = librariesInBundle();
  const isPart = ({ name, properties = [] }: Component): boolean =>
    contained.has(name) || !properties.some((property) => property.name === 'cdx:npm:package:development');
  const components = bill.components.filter(isPart);
  const refs = new Set([bill.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  // npm names the folder.
  const component = { ...bill.metadata.component, name: 'cl-apiserver' };
  return { ...bill, metadata: { ...bill.metadata, component }, components, dependencies };
}

/** The dependencies of development that a source imports, whose code is in the bundle. */
function librariesInBundle(): ReadonlySet<string> {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const sources = [...sourceFiles('src', '.ts'), ...sourceFiles('src', '.tsx')];
  const imported = sources.flatMap(({ text }) => [
    ...text.matchAll(/^(?:import|export) (?!type )[^;]*?from '((?:@[^/']+\/)?[^/'.][^/']*)/gm),
  ]);
  return new Set(imported.map(([, name = '']) => name).filter((name) => Object.hasOwn(devDependencies, name)));
}
