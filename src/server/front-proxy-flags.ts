import type { FlagTable, FlagValues } from '../flags/flag-table.ts';
import { checked, list, text } from '../flags/flag-types.ts';
import type { FrontProxyOptions } from './front-proxy-options.ts';

const section = 'Authentication';

/** The characters of a field name (RFC 9110 5.1). */
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const headerNames = checked(list('headers'), (names) => {
  const wrong = names.find((name) => !fieldName.test(name));
  return wrong === undefined ? undefined : `${JSON.stringify(wrong)} is not the name of a header`;
});

/** The flags of an authenticating proxy. */
export const frontProxyFlags = {
  'requestheader-client-ca-file': {
    type: text('file'),
    default: undefined,
    section,
    help: 'CA bundle that verifies the client certificate of an authenticating proxy; without it headers name nobody',
  },
  'requestheader-allowed-names': {
    type: list('names'),
    default: [],
    section,
    help: 'common names of proxies; if empty, every certificate of --requestheader-client-ca-file is that of a proxy',
  },
  'requestheader-username-headers': {
    type: headerNames,
    default: [],
    section,
    help: 'headers of a proxy with the user name, such as X-Remote-User; the first one with a value is used',
  },
  'requestheader-uid-headers': {
    type: headerNames,
    default: [],
    section,
    help: 'headers of a proxy with the UID of the user, such as X-Remote-Uid; the first one with a value is used',
  },
  'requestheader-group-headers': {
    type: headerNames,
    default: [],
    section,
    help: 'headers of a proxy with groups of the user, such as X-Remote-Group',
  },
  'requestheader-extra-headers-prefix': {
    type: headerNames,
    default: [],
    section,
    help: 'prefixes of headers of a proxy with extra fields of the user, such as X-Remote-Extra-',
  },
} as const satisfies FlagTable;

type Values = FlagValues<typeof frontProxyFlags>;

/** The options that the flags set; undefined without a proxy. */
export function frontProxyOptionsOf(values: Values): FrontProxyOptions | undefined {
  const caFile = values['requestheader-client-ca-file'];
  if (caFile === undefined) return undefined;
  return {
    caFile,
    allowedNames: values['requestheader-allowed-names'],
    headers: {
      username: values['requestheader-username-headers'],
      uid: values['requestheader-uid-headers'],
      groups: values['requestheader-group-headers'],
      extraPrefixes: values['requestheader-extra-headers-prefix'],
    },
  };
}

/** Checks flags that depend on each other. */
export function frontProxyFault(values: Values): string | undefined {
  const proxy = frontProxyOptionsOf(values);
  if (proxy) {
    return proxy.headers.username.length > 0
      ? undefined
      : '--requestheader-client-ca-file needs --requestheader-username-headers';
  }
  const lists = Object.entries(values).filter(([name, value]) => name in frontProxyFlags && Array.isArray(value));
  const given = lists.find(([, value]) => Array.isArray(value) && value.length > 0);
  return given && `--${given[0]} needs --requestheader-client-ca-file`;
}
