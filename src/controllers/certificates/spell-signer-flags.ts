import { identifierSets, identifiersOf, type Identifiers } from '../../identifiers/identifiers.ts';
import type { BuiltInSigner } from '../../pki/built-in-signers.ts';

/** The words for signers in the flags of one set of identifiers. */
function signerWords({ prefix, nodeAgent }: Identifiers): readonly (readonly [word: string, signer: BuiltInSigner])[] {
  return [
    [`${prefix}apiserver-client`, 'client'],
    [`${nodeAgent}-client`, 'node-client'],
    [`${nodeAgent}-serving`, 'node-serving'],
  ];
}

const spellings: ReadonlyMap<string, string> = new Map(
  identifierSets.flatMap((set) =>
    signerWords(identifiersOf(set)).flatMap(([word, signer]) =>
      ['cert', 'key'].map((part) => [flagOf(word, part), flagOf(signer, part)] as const),
    ),
  ),
);

/** Spells the flags of signers as the table does, in whatever set of names they are given. */
export function spellSignerFlags(args: readonly string[]): readonly string[] {
  return args.map((argument) => {
    const [name = ''] = argument.split('=', 1);
    return (spellings.get(name) ?? name) + argument.slice(name.length);
  });
}

function flagOf(word: string, part: string): string {
  return `--cluster-signing-${word}-${part}-file`;
}
