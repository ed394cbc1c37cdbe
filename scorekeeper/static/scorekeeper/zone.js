// A new club has the time zone of the host's browser, unless they choose another one.
const select = document.querySelector("[name=time_zone]");
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
if ([...select.options].some(({ value }) => value === own)) select.value = own;
