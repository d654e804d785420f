/* fragments.c: see fragments.h. */
#include "fragments.h"

const char fragment_core[] = "Sf drive = 3/2 + 2*sin(4*t)\nC cbus = 1, e0 = 1\nR leak = 1\n0 bus\n"
                             "drive -> bus -> cbus\nbus -> leak\n";

const fragment fragments[] = {
    {"on",
     "R on_r = if(on(on_s), 4, 2)\nR on_p = 3\nX1 on_s\nbus -> on_r\nbus -> on_s -> on_p\n"
     "switch on_s on, off at 0.37, on at 0.81\n",
     "f(on_r), f(on_p)", false},
    {"prior",
     "R pr_r = 1\nX1 pr_s\nbus -> pr_s -> pr_r\n"
     "switch pr_s off, on when prior(e(bus)) > 6/5, off when prior(e(bus)) < 4/5\n",
     "f(pr_r)", true},
    {"impulse",
     "I im_l = 1/2\nR im_r = 1\nSe im_g = 0\n0 im_n\n1 im_j\nX1 im_s\nX1 im_d\n"
     "bus -> im_s -> im_n -> im_j -> im_l\nim_j -> im_r\nim_g -> im_d -> im_n\n"
     "switch im_s on, off at 0.53, on at 1.73\n"
     "switch im_d off, on when impulse(e(im_n)) < -1/100, off when f(im_d) < 0 or on(im_s)\n",
     "f(im_l)", true},
    {"within",
     "I wi_a = 1/2\nI wi_b = 1/3\nR wi_p = 1\nR wi_q = 1/2\n1 wi_x\n1 wi_y\nX0 wi_c\n"
     "bus -> wi_x -> wi_a\nwi_x -> wi_p\nwi_x -> wi_c -> wi_y -> wi_b\nwi_y -> wi_q\n"
     "automaton wi_c {\nopen off initial\nclosed on\ntorn off\njoined on\n"
     "open -> closed when t >= 0.47\nclosed -> torn when within(f(wi_b)) >= 1/10\n"
     "torn -> joined when t >= 1.31\n}\n",
     "f(wi_a), f(wi_b)", true},
    {"int", "Sf in_u = -3/2*int(e(bus) - 1, 0)\nin_u -> bus\n", "f(in_u)", true},
    {"table", "Sf ta_u = table(\"cross.csv\", \"u\")\nta_u -> bus\n", "f(ta_u)", true},
    {"if", "Sf if_u = if(e(bus) > 11/10, 0.3, 1/5)\nif_u -> bus\n", "f(if_u)", false},
    {"sign", "I si_l = 1/2\nR si_r : e = 4/5*sign(f)\n1 si_j\nbus -> si_j -> si_l\nsi_j -> si_r\n",
     "f(si_l), e(si_r)", false},
    {"abs",
     "I ab_l = 1/2\nR ab_r : e = 2*f*abs(f) + f/5\n1 ab_j\nbus -> ab_j -> ab_l\nab_j -> ab_r\n",
     "f(ab_l)", false},
    {"automaton",
     "R au_r = 2\nX1 au_s\nbus -> au_s -> au_r\n"
     "automaton au_s {\nidle off initial\nbusy on\ntired off\n"
     "idle -> busy when e(bus) > 1.13\nbusy -> tired when e(bus) < 0.9\n"
     "tired -> busy when e(bus) > 1.01 and t > 1.5\n}\n",
     "f(au_r)", true},
    {"pwm",
     "R pw_r = 2\nX1 pw_s\nbus -> pw_s -> pw_r\n"
     "switch pw_s pwm(1/8, 1/2 + 3/10*sin(3*t))\n",
     "f(pw_r)", true},
    {"detachable",
     "Sf de_u = 1/4, detachable\nX1 de_s\nde_u -> de_s -> bus\n"
     "switch de_s on, off at 0.63, on at 1.21\n",
     "f(de_s)", true},
    {"dependent",
     "C ds_c = 1/2, e0 = 1/3\nC ds_d = 1/4\nR ds_r = 5\n0 ds_n\nX1 ds_s\nbus -> ds_d\n"
     "bus -> ds_s -> ds_n -> ds_c\nds_n -> ds_r\n"
     "switch ds_s off, on at 0.71, off at 1.41\n",
     "e(ds_c)", true},
    {"forbidden",
     "Se fo_v = 3\nSe fo_g = 0\nI fo_l = 1/2\n0 fo_n\n1 fo_j\nX1 fo_s\nX1 fo_d\n"
     "fo_v -> fo_s -> fo_n -> fo_j -> bus\nfo_g -> fo_d -> fo_n\nfo_j -> fo_l\n"
     "switch fo_s on, off at 0.29, on at 0.43, off at 0.97, on at 1.77\n"
     "switch fo_d off, on when e(fo_n) < 0, off when f(fo_d) < 0\n",
     "f(fo_l)", true},
    {"sliding",
     "Se sl_v = 3\nC sl_c = 1/2\nR sl_r = 1\nR sl_b = 2\n0 sl_n\n1 sl_f\n1 sl_j\nX1 sl_s\n"
     "sl_v -> sl_s -> sl_f -> sl_n -> sl_c\nsl_f -> sl_r\nsl_n -> sl_j -> bus\nsl_j -> sl_b\n"
     "switch sl_s on, off when e(sl_n) > 3/2, on when e(sl_n) < 3/2\n",
     "e(sl_n), f(sl_f)", true},
    {"reference",
     "Se re_v = 4\nC re_c = 1/2, e0 = 1\nR re_r = 1\nR re_b = 2\n0 re_n\n1 re_f\n1 re_j\nX1 re_s\n"
     "re_v -> re_s -> re_f -> re_n -> re_c\nre_f -> re_r\nre_n -> re_j -> bus\nre_j -> re_b\n"
     "signal re_u = 3/2 + abs(t - 1.13)/4 + table(\"cross.csv\", \"u\")/8\n"
     "switch re_s on, off when e(re_n) > re_u, on when e(re_n) < re_u\n",
     "e(re_n), f(re_f)", true},
    {"drawn",
     "Se dw_v = 6\nSe dw_g = 0\nI dw_l = 1/2\nR dw_r = 1\n0 dw_n\n1 dw_j\nX1 dw_s\nX1 dw_d\n"
     "dw_v -> dw_s -> dw_n -> dw_j -> bus\ndw_g -> dw_d -> dw_n\ndw_j -> dw_l\ndw_j -> dw_r\n"
     "switch dw_d diode\nswitch dw_s on, off when f(dw_l) > 3/4, on when f(dw_l) < 3/4\n",
     "f(dw_l), f(dw_s)", true},
    {"chosen",
     "C ch_c = if(on(ch_s), 1/2, 1/3), e0 = 1/2\nR ch_r = 1\n1 ch_j\n0 ch_n\n"
     "bus -> ch_j -> ch_n -> ch_c\nch_j -> ch_r\nswitch ch_s off, on at 0.59, off at 1.37\n",
     "e(ch_c)", true},
    {"accumulation",
     "Se ac_w = -10\nSf ac_u = -prior(f(ac_v))/2\nI ac_m = 1\nTF ac_t = 20\n1 ac_v\nX0 ac_s\n"
     "ac_w -> ac_v -> ac_m\nac_u -> ac_s -> ac_v\nbus -> ac_t -> ac_v\n"
     "signal ac_h = int(f(ac_v), 1/3)\n"
     "switch ac_s off, on when ac_h <= 0 and f(ac_v) < 0, off when prior(f(ac_v)) > 0\n",
     "ac_h, f(ac_v)", true},
    {"discrete",
     "discrete di_n = 0\nSf di_u = -di_n/5\nR di_r = 4\nX1 di_s\ndi_u -> bus\nbus -> di_s -> di_r\n"
     "automaton di_s {\na off initial\nb on\na -> b when e(bus) > 1.07 { di_n = di_n + 1 }\n"
     "b -> a when e(bus) < 0.85 { di_n = di_n/2 }\n}\n",
     "di_n", true},
    {"floor", "Sf fl_u = floor(7*t)/20 - floor(5*t + 1/3)/30\nfl_u -> bus\n", "f(fl_u)", true},
    {"mod",
     "R mo_r = 3\nX1 mo_s\nSf mo_u = mod(t, 3/10)/4\nmo_u -> bus\nbus -> mo_s -> mo_r\n"
     "switch mo_s off, on when mod(t, 7/20) > 1/7, off when mod(t, 7/20) < 1/7\n",
     "f(mo_u), f(mo_r)", true},
    {"steps", "R st_r : e = f*(2 + floor(6*e(bus))/4)\nbus -> st_r\n", "f(st_r)", false},
    {"steps_down", "Sf sd_u = 1/2 - floor(int(e(bus), 1/7)*3)/9\nsd_u -> bus\n", "f(sd_u)", true},
    {"field",
     "I fd_m(a, b) = [1/2; 1/5, 1/3]\nR fd_r = 1\nR fd_q = 2\n1 fd_j\nX1 fd_s\n"
     "bus -> fd_j -> fd_m.a\nfd_j -> fd_r\nfd_s -> fd_m.b\nfd_s -> fd_q\n"
     "switch fd_s off, on at 0.41, off at 1.19\n",
     "f(fd_m.a), f(fd_m.b)", true},
    {"diode",
     "C dd_c = 1/3\nR dd_r = 1/2\nR dd_l = 7\n0 dd_n\nX1 dd_d\nbus -> dd_d -> dd_n -> dd_c\n"
     "dd_d -> dd_r\ndd_n -> dd_l\nswitch dd_d diode(1/10)\n",
     "f(dd_d), e(dd_c)", true},
    {"thyristor",
     "R th_r = 3/2\nI th_l = 1/9\nSe th_g = 1\nX1 th_s\nbus -> th_s -> th_r\nth_s -> th_g\n"
     "th_s -> th_l\nswitch th_s thyristor(t > 0.6)\n",
     "f(th_s)", true},
    {"brake",
     "I br_m = 1/2\nR br_r = 1/4\nGY br_g = 2\n1 br_v\nX1 br_b\nbus -> br_g -> br_v -> br_m\n"
     "br_v -> br_r\nbr_v -> br_b\nswitch br_b brake(9/4)\n",
     "f(br_m)", true},
    {"boolean",
     "R bo_r = if(on(bo_hot), 3, 1)\nC bo_c = 1/4\n1 bo_j\n0 bo_n\nbus -> bo_j -> bo_n -> bo_c\n"
     "bo_j -> bo_r\nswitch bo_hot off, on when e(bo_c) > 11/10, off when e(bo_c) < 9/10\n",
     "e(bo_c)", true},
    {"kinks",
     "Sf ki_u = max(0, min(1/3, sin(5*t))) - abs(sin(3*t))/7\nR ki_r : f = tanh(e) + atan(e)/3\n"
     "ki_u -> bus\nbus -> ki_r\n",
     "f(ki_u), f(ki_r)", false},
};

const int nfragments = sizeof fragments / sizeof *fragments;
