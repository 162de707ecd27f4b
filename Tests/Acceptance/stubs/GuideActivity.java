// The steps of nextAuth's guides that they show in Java, written anew: that they compile as they are is the test.
package guide;

import com.nextauth.android.*;

public class GuideActivity extends AbstractCallbackHandler implements NextAuthObserver {
    private String webNonce;
    private String userName;

    public void onResume() {
        NextAuth.getNextAuth().addObserver(this);
        if (NextAuth.getNextAuth().getAccountManager().getAccounts().isEmpty()) {
            return;
        }
        AppLogin appLogin = NextAuth.getNextAuth().getAppLogin();
        if (!appLogin.isLoggedIn()) {
            appLogin.start();
        }
    }

    public void onPause() {
        NextAuth.getNextAuth().removeObserver(this);
    }

    @Override
    public void onCallback(Callback callback) {
        callback.trigger(this);
    }

    @Override
    public void onConfirmLogin(ConfirmLogin callback) {
        Session session = callback.getSession();
        String shop = session.getAnnounceInfo().getInfo("shop");
        NextAuth.getSessionManager().setAccount(session, callback.getAccounts().get(0), shop);
    }

    @Override
    public void onConfirmEnrol(ConfirmEnrol callback) {
        NextAuth.getSessionManager().setAccount(callback.getSession());
    }

    @Override
    public void onSecondFactor(SecondFactor callback) {
        if (callback.getContext() == SecondFactor.Context.VERIFY) {
            NextAuth.getNextAuth().getSecondFactorManager().sfInput(new PinContainer("13524"));
        }
    }

    @Override
    public void onSessionLogin(SessionLogin callback) {
        if (NextAuth.getNextAuth().getAppLogin().isLoggedIn()) {
            webNonce = NextAuth.getNextAuth().getAppLogin().getWebNonce();
            userName = NextAuth.getNextAuth().getAppLogin().getUserName();
        }
    }

    @Override
    public void onSessionStop(SessionStop callback) {
        if (!NextAuth.getNextAuth().getAppLogin().isLoggedIn()) {
            webNonce = null;
            userName = null;
        }
    }

    /** What the app would hand its back end. */
    public String describe() {
        return userName + " " + webNonce;
    }
}
