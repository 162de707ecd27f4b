/// What is wrong with the public key of a credential.
package struct COSEKeyError: Error, Equatable, CustomStringConvertible {
    package let expected: String
    package let got: String

    package var description: String { "expected \(expected), got \(got)" }
}
