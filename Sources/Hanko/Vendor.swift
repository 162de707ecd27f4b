/// What the platform is called, for all who have to say it.
enum Vendor {
    static let name = "hanko"
    static let title = "Hanko"
}
