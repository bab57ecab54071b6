import type { FrontProxyHeaders } from '../../authn/front-proxy.ts';
import { flagsOf, type GroupOf, groupOf, optionsOf, type RowsByFlag } from '../../flags/flag-options.ts';
import { inSection, type FlagValues } from '../../flags/flag-table.ts';
import { checked, list, text } from '../../flags/flag-types.ts';

const section = 'Authentication';

/** The characters of a field name (RFC 9110 5.1). */
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const headerNames = checked(list('headers'), (names) => {
  const wrong = names.find((name) => !fieldName.test(name));
  return wrong === undefined ? undefined : `${JSON.stringify(wrong)} is not the name of a header`;
});

/** The flags of an authenticating proxy. */
export const frontProxyFlags = inSection(section, {
  /** PEM bundle that verifies the certificate of the proxy. */
  caFile: {
    flag: 'requestheader-client-ca-file',
    type: text('file'),
    help: 'CA bundle that verifies the client certificate of an authenticating proxy; without it headers name nobody',
  },
  /** The common names of proxies; none allows all. */
  allowedNames: {
    flag: 'requestheader-allowed-names',
    type: list('names'),
    default: [],
    help: 'common names of proxies; if empty, every certificate of --requestheader-client-ca-file is that of a proxy',
  },
});

/** The flags of the headers of an authenticating proxy. */
export const frontProxyHeaderFlags = inSection(section, {
  username: {
    flag: 'requestheader-username-headers',
    type: headerNames,
    default: [],
    help: 'headers of a proxy with the user name, such as X-Remote-User; the first one with a value is used',
  },
  uid: {
    flag: 'requestheader-uid-headers',
    type: headerNames,
    default: [],
    help: 'headers of a proxy with the UID of the user, such as X-Remote-Uid; the first one with a value is used',
  },
  groups: {
    flag: 'requestheader-group-headers',
    type: headerNames,
    default: [],
    help: 'headers of a proxy with groups of the user, such as X-Remote-Group',
  },
  extraPrefixes: {
    flag: 'requestheader-extra-headers-prefix',
    type: headerNames,
    default: [],
    help: 'prefixes of headers of a proxy with extra fields of the user, such as X-Remote-Extra-',
  },
});

/** An authenticating proxy in front of this server (spec 5.5). */
export interface FrontProxyOptions extends GroupOf<typeof frontProxyFlags, 'caFile'> {
  readonly headers: FrontProxyHeaders;
}

type Values = FlagValues<RowsByFlag<typeof frontProxyFlags & typeof frontProxyHeaderFlags>>;

/** The options that the flags set; undefined without a proxy. */
export function frontProxyOptionsOf(values: Values): FrontProxyOptions | undefined {
  const proxy = groupOf(frontProxyFlags, values, 'caFile');
  return proxy && { ...proxy, headers: optionsOf(frontProxyHeaderFlags, values) };
}

/** Checks flags that depend on each other. */
export function frontProxyError(values: Values): string | undefined {
  const proxy = frontProxyOptionsOf(values);
  if (proxy) {
    return proxy.headers.username.length > 0
      ? undefined
      : '--requestheader-client-ca-file needs --requestheader-username-headers';
  }
  const rows = Object.keys(flagsOf({ ...frontProxyFlags, ...frontProxyHeaderFlags }));
  const given = Object.entries(values).find(
    ([name, value]) => rows.includes(name) && Array.isArray(value) && value.length > 0,
  );
  return given && `--${given[0]} needs --requestheader-client-ca-file`;
}
