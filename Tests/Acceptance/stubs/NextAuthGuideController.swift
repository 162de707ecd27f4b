// The view controller of nextAuth's quick start “AppLogin”: lines that begin with //= stand for the guide's own code.
import NextAuth
import UIKit

final class RootViewController: UIViewController {
    func appear() {
        //= swift: entry point
    }

    //= swift: callbacks

    // The guide observes accounts with a handler that it does not show.
    @objc func handleAccountUpdateNotification(_ notification: NSNotification) {}

    func logIn() {
        //= swift: logging in
    }

    func read() -> [String?] {
        [
            //= swift: while being logged in | ,
        ]
    }

    func logOut() {
        //= swift: logging out
    }
}
