// What readers do with the page itself, whatever is on it: share it, change its language, colours and keys.

import { followKeys } from "keys";
import { followLanguages } from "language";
import { followShare } from "share";
import { followTheme } from "theme";

export function followReader(page) {
  followShare(page);
  followLanguages();
  followTheme();
  followKeys(page.words);
  document.body.dataset.followed = "";
}
