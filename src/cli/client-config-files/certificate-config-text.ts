/**
 * A certificate or key in a client config: its PEM, or a file with a path relative to the config.
 */
type Material = { readonly pem: string } | { readonly file: string };

/** A server, and a user of it with a client certificate. */
interface ConfiguredUser {
  readonly server: string;
  readonly user: string;
  readonly ca: Material;
  readonly cert: Material;
  readonly key: Material;
}

/**
 * The text of a client config with one context. Names and addresses are written as they are, which
 * is valid YAML.
 */
export function certificateConfigText(cluster: string, { server, user, ca, cert, key }: ConfiguredUser): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: ${cluster}
  cluster:
    server: ${server}
    ${lineOf('certificate-authority', ca)}
users:
- name: ${user}
  user:
    ${lineOf('client-certificate', cert)}
    ${lineOf('client-key', key)}
contexts:
- name: ${user}@${cluster}
  context:
    cluster: ${cluster}
    user: ${user}
current-context: ${user}@${cluster}
`;
}

function lineOf(field: string, material: Material): string {
  if ('file' in material) return `${field}: ${material.file}`;
  return `${field}-data: ${Buffer.from(material.pem).toString('base64')}`;
}
