/// What the platform is called, for all who have to say it.
enum Vendor {
    static let name = "powerauth"
    static let title = "Wultra PowerAuth"
}
