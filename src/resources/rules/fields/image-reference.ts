/** Longer texts are not parsed: a name has at most 255 characters, a tag 128, a digest 135. */
const referenceLimit = 600;
const nameLimit = 255;

/**
 * Characters that normalisation adds to a name without a registry, and to one without a folder.
 * They count towards the limit of the name.
 */
const usualRegistryLength = 9;
const ownerlessLength = 8;

const hostName = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const registryForm = new RegExp(`^${hostName}(?:\\.${hostName})*(?::[0-9]+)?$`);
const folder = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const pathForm = new RegExp(`^${folder}(?:/${folder})*$`);
const tagForm = /^\w[\w.-]{0,127}$/;
const digestForm = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/;

/** The local ID of an image. It is not a reference by which an image can be pulled. */
const identifierForm = /^[a-f0-9]{64}$/;

/**
 * The tag of a reference to a container image. `latest` if the reference has neither tag nor
 * digest; '' if it has a digest only, or is not a valid reference.
 */
export function imageTag(image: string): string {
  if (image.length > referenceLimit || identifierForm.test(image)) return '';
  const [registry, rest] = splitRegistry(image);
  const [, path = '', tag, digest] = /^([^:@]*)(?::([^@]*))?(?:@([^]*))?$/.exec(rest) ?? [];
  const isReference =
    (registry === undefined || registryForm.test(registry)) &&
    pathForm.test(path) &&
    lengthOfName(registry, path) <= nameLimit &&
    (tag === undefined || tagForm.test(tag)) &&
    (digest === undefined || digestForm.test(digest));
  if (!isReference) return '';
  return tag ?? (digest === undefined ? 'latest' : '');
}

/**
 * Splits the registry from a reference. The part before the first slash is a registry only if it
 * contains a dot or a colon, or is `localhost`.
 */
function splitRegistry(image: string): readonly [registry: string | undefined, rest: string] {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  return /[.:]/.test(first) || first === 'localhost' ? [first, image.slice(slash + 1)] : [undefined, image];
}

function lengthOfName(registry: string | undefined, path: string): number {
  if (registry !== undefined) return registry.length + 1 + path.length;
  return usualRegistryLength + 1 + (path.includes('/') ? 0 : ownerlessLength) + path.length;
}
