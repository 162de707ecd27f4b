/// What stands in the place of an attestation object.
package struct AttestationObjectError: Error, Equatable {
    package let got: String
}
