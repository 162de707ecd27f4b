// Hanko
