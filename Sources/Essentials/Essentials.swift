// The part of Foundation that the house uses, under one name on every system: `import Essentials`.
//
// On Linux that is FoundationEssentials, which costs a static binary 52 MB less than all of Foundation.
// This is the only file that tells the two apart.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif

extension JSONValue {
    /// - Throws: `DecodingError` when the bytes are not one JSON value in UTF-8, or nest more than 32 levels.
    package init(parsing bytes: [UInt8]) throws {
        self = try JSONParser.value(of: bytes)
    }
}
