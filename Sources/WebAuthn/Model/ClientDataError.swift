/// What stands in the place of client data.
package struct ClientDataError: Error, Equatable {
    package let got: String
}
