// What an instructor pastes: the same figure in the words of each kind of page.

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

const iframe = ({ url, title, height }) =>
  `<iframe src="${escaped(url)}" title="${escaped(title)}" width="100%" height="${height}" style="border: 0" loading="lazy" allow="clipboard-write"></iframe>`;

/** By format: ({ url, title, height, figure, script, attributes }) → text. The address is a full one. */
export const SNIPPETS = {
  iframe,
  element({ script, attributes, title }) {
    const told = Object.entries({ ...attributes, title }).filter(([, value]) => value);
    const written = told.map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
    return `<script src="${escaped(script)}"></script>\n<attention-lesson${written}></attention-lesson>`;
  },
  link: ({ url }) => url,
  markdown: ({ url, title }) => `[${title}](${url.replaceAll("(", "%28").replaceAll(")", "%29")})`,
  myst: ({ url, title }) => `:::{iframe} ${url}\n:width: 100%\n${title}\n:::`,
  quarto: (taken) => `\`\`\`{=html}\n${iframe(taken)}\n\`\`\``,
  jupyter: ({ url, height }) =>
    `from IPython.display import IFrame\nIFrame(${JSON.stringify(url)}, width="100%", height=${height})`,
};
