/** The user and the password of a URL, up to the last `@`: passwords may be written unencoded. */
const credentials = /(?<=:\/\/)[^\s"']+(?=@)/g;

/** Returns a text for people without the users and passwords of the URLs in it. */
export function withoutCredentials(text: string): string {
  return text.replace(credentials, '<masked>');
}
