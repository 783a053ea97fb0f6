// What the others cost before they read anything.
return 0;
