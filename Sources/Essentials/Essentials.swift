// The part of Foundation that the house uses, under one name on every system: `import Essentials`.
//
// On Linux that is FoundationEssentials, which costs a static binary 52 MB less than all of Foundation.
// This is the only file that tells the two apart.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
