// What comes of a fetch: its status and text, or the error's name and the first words of its message.
const outcome_of = async (url, options) => {
  try {
    const response = await fetch(url, options);
    return response.status + ' ' + (await response.text()).slice(0, 200);
  } catch (error) {
    return error.name + (error.code ? ' ' + error.code : '');
  }
};
// Which of the URLs did not end with one of `ends`.
const other_than = async (ends, urls, options) => {
  const wrong = [];
  for (const url of urls) {
    const end = await outcome_of(url, options);
    if (!ends.includes(end)) wrong.push(String(url).slice(0, 100) + ': ' + end);
  }
  return wrong;
};
