// Finds product spellings outside src/identifiers/: every such name is built from an `Identifiers` value.
import { report, sourceFiles } from './source-files.ts';

const spelling =
  /\b(?:[\w.-]*\b(?:cl|cluster|k8s|kubernetes)\.io\b|kube-[a-z]|kubelet\b|kubernetes\b|nodeagent\b|cl-(?:system|public|node-lease|root-ca|apiserver-client)|vnd\.cluster|x-cluster-|KUBE[A-Z]+|CLUSTER_[A-Z]+)/;

/** Words that name another project or our own set of identifiers rather than spell an identifier. */
const allowed = /'(?:cluster|kubernetes)'/g;

/** Comments may say the names: only code builds them. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}

const files = [...sourceFiles('src', '.ts'), ...sourceFiles('proto', '.proto')].filter(
  (file) => !/^src\/(?:identifiers|gen)\//.test(file.path),
);
report(
  'identifiers',
  files.flatMap((file) =>
    withoutComments(file.text)
      .split('\n')
      .flatMap((line, index) => {
        const found = spelling.exec(line.replaceAll(allowed, ''));
        return found ? [`${file.path}:${index + 1}: "${found[0]}" is spelled outside src/identifiers/`] : [];
      }),
  ),
);
