// A10: dates, valid and not
// expect: {"result": {"date": "1970-01-01T00:00:00.000Z", "invalid": null}}
return { date: new Date(0), invalid: new Date(NaN) };
