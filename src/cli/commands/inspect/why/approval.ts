import { shellWord } from '../../../shell-word.ts';
import { textAt } from '../describe/parts/values.ts';
import { hasCondition } from './conditions.ts';
import type { Finding, Subject } from './subject.ts';

/** A request for a certificate that waits for a decision, or for its signer. */
export function approval({ object, name }: Subject): Finding[] {
  const isRefused = ['Denied', 'Failed'].some((type) => hasCondition(object, type));
  if (isRefused || textAt(object, 'status.certificate') !== '') return [];
  if (!hasCondition(object, 'Approved')) {
    const request = shellWord(name);
    return [
      {
        says: 'It waits for approval: nobody has approved or denied it.',
        next: `cl describe csr ${request}, then cl certificate approve ${request}, or deny`,
      },
    ];
  }
  const signer = textAt(object, 'spec.signerName');
  return [
    {
      says: `It is approved, but its signer ${signer} has issued no certificate.`,
      next: 'see whether the controller that signs for it runs',
    },
  ];
}
