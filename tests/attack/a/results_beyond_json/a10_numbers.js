// A10: numbers that JSON lacks
// expect: {"result": {"nan": null, "infinity": null, "minusZero": 0, "undefined": null, "hole": [1, null, 3], "large": 1e308, "tiny": 5e-324}}
return { nan: NaN, infinity: -Infinity, minusZero: -0, undefined: undefined, hole: [1, , 3], large: 1e308, tiny: 5e-324 };
