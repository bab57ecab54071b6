/** The word with which the scripts of shells ask for completions; the words to complete follow. */
export const completionWord = '__complete';
