struct NotBuilt: Error {}
