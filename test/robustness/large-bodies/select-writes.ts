import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { builtInCatalogue } from '../../../src/catalogue/definitions.ts';
import { fillings } from './large-body.ts';
import { distinctFields, type LargeField, largeFields } from './large-fields.ts';
import { type LargeWrite, titleOf, writes } from './large-writes.ts';

const everyField = (): readonly LargeField[] =>
  largeFields(builtInCatalogue(identifiersOf('cluster')).current.resources);

/**
 * The large writes of `make robustness`: each list and map of each message, filled in each way, and all those of each kind
 * once more; the ways of writing alternate, so that each is met by every sort of field.
 */
export function everyLargeWrite(): readonly LargeWrite[] {
  const messages = distinctFields(everyField()).flatMap((field, index) =>
    fillings.map((filling, place) => ({ field, filling, write: writeAt(index + place) })),
  );
  return [...messages, ...everyField().map((field, index) => ({ field, ...wayAt(index) }))];
}

/** Of the lists and maps of all messages, one in so many is written in `make test`. */
const sampleStep = 13;

/** Writes that `make robustness` has found to block the event loop for longer than they may, until they were mended. */
const dearWrites: ReadonlySet<string> = new Set([
  'core/v1 services spec.externalIPs: equal items by create',
  'core/v1 endpoints subsets[].addresses: equal items by json',
  'admissionregistration/v1beta1 mutatingwebhookconfigurations webhooks: equal items by json',
  'scheduling/v1 priorityclasses metadata.annotations: bad items by apply',
  'discovery/v1beta1 endpointslices endpoints[].topology: bad items by strategic',
  'resource/v1 resourceslices spec.devices[].bindingFailureConditions: distinct items by create',
]);

/** The large writes of `make test`, the same at each run: a sample, and the dearest ones. */
export function someLargeWrites(): readonly LargeWrite[] {
  const sample = distinctFields(everyField())
    .filter((_, index) => index % sampleStep === 0)
    .map((field, index) => ({ field, ...wayAt(index) }));
  return [...sample, ...[...dearWrites].map(writeCalled)];
}

/** Finds a write by its title. Which of them `make robustness` sends changes with each field that is added. */
function writeCalled(title: string): LargeWrite {
  const [path = ''] = title.split(': ');
  const ways = fillings.flatMap((filling) => writes.map((write) => ({ filling, write })));
  const fields = everyField().filter((field) =>
    titleOf({ field, filling: 'equal', write: 'create' }).startsWith(`${path}: `),
  );
  const found = fields
    .flatMap((field) => ways.map((way) => ({ field, ...way })))
    .find((write) => titleOf(write) === title);
  if (!found) throw new Error(`no large write is called ${title}`);
  return found;
}

function writeAt(index: number) {
  return writes[index % writes.length] ?? 'create';
}

function wayAt(index: number) {
  return { filling: fillings[Math.floor(index / writes.length) % fillings.length] ?? 'equal', write: writeAt(index) };
}
